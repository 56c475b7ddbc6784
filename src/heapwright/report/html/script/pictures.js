/* Drawings of heaps. */
import {draw, el} from "./elements.js";
import {svgs} from "./data.js";

export function picture(drawing, caption, meanings, more) {
  const parsed = new DOMParser().parseFromString(svgs[drawing.svg], "image/svg+xml").documentElement;
  const svg = document.importNode(parsed, true);
  for (const text of svg.querySelectorAll("text")) {
    const told = meanings.filter(([fact]) => text.textContent.split(/[ ()]+/).includes(fact)).map((pair) => pair.join(": "));
    if (told.length) text.append(draw("title", {}, told.join("\n")));
  }
  svg.setAttribute("aria-label", `${caption}: ${drawing.words}`);
  return el("figure", {}, svg, el("figcaption", {}, el("span", {}, caption), more));
}
