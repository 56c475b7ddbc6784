/* Elements of the document, made from values. All text of the data is written as text (`textContent`), never as markup. */

const SVG = "http://www.w3.org/2000/svg";
export const still = matchMedia("(prefers-reduced-motion: reduce)");

export function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}
export const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const byId = (id) => document.getElementById(id);
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
export const replace = (element, ...children) => element.replaceChildren(...children.flat(Infinity).filter((child) => child));
