/* A button that copies an address to the clipboard. Address and label come as data and are written as text, never as HTML. */
export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.label;
  button.hidden = !(window.isSecureContext && navigator.clipboard);
  let waiting = 0;
  const said = (words) => {
    button.textContent = words;
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => { button.textContent = data.label; }, 2500);
  };
  const copy = () => navigator.clipboard.writeText(data.text).then(() => said("Copied"), () => said("Not allowed here"));
  button.addEventListener("click", copy);
  return () => {
    window.clearTimeout(waiting);
    button.removeEventListener("click", copy);
  };
}
