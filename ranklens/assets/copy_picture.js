/* A button that copies a PNG to the clipboard. The picture comes as data, its label as text; nothing is written as HTML. */
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const allowed = window.isSecureContext && navigator.clipboard && window.ClipboardItem;
  button.textContent = data.label;
  button.hidden = !allowed;
  const bytes = Uint8Array.from(atob(data.png), (letter) => letter.charCodeAt(0));
  const picture = new Blob([bytes], { type: "image/png" });
  const said = (words) => {
    button.textContent = words;
    window.setTimeout(() => { button.textContent = data.label; }, 2500);
  };
  const copy = () =>
    navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]).then(
      () => said("Copied"),
      () => said("Not allowed here")
    );
  button.addEventListener("click", copy);
  return () => button.removeEventListener("click", copy);
}
