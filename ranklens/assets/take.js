/* A button that fetches a file, which the server makes when it is asked for, and hands it to the browser.
   Label, help and file name come as data and are written as text, never as HTML. */
const base = import.meta.url.split("/_stcore/")[0];
const LOST = "The server did not answer. Try again.";
const FAILED = "The file could not be made. Reload the page, and try again.";
const making = new WeakSet();

async function fetched(token) {
  const answer = await fetch(`${base}/take/${token}`, { credentials: "same-origin", cache: "no-store" });
  if (answer.ok) return answer.blob();
  const plain = (answer.headers.get("content-type") || "").startsWith("text/plain");
  const words = plain ? (await answer.text()).slice(0, 600) : "";
  throw new Error(words || FAILED);
}

function handed(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const label = parentElement.querySelector(".label");
  const said = parentElement.querySelector(".said");
  const tip = parentElement.querySelector(".tip");
  parentElement.querySelector(".icon").textContent = data.icon;
  tip.textContent = data.help;
  tip.hidden = !data.help;
  label.textContent = making.has(button) ? "Making …" : data.label;
  button.hidden = false;
  const take = async () => {
    if (making.has(button)) return;
    making.add(button);
    button.setAttribute("aria-busy", "true");
    label.textContent = "Making …";
    said.textContent = "";
    try {
      handed(await fetched(data.token), data.name);
    } catch (error) {
      said.textContent = error instanceof TypeError ? LOST : error.message;
    } finally {
      making.delete(button);
      button.removeAttribute("aria-busy");
      label.textContent = data.label;
    }
  };
  button.onclick = take;
  // What is drawn anew may be set up before the old one is taken down: then the button is no longer ours.
  return () => { if (button.onclick === take) button.onclick = null; };
}
