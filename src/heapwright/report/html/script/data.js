/* The data of the page, and its films, which are unpacked when they are watched. */
import {byId, el} from "./elements.js";

export const MARKS = {violated: "✗", unknown: "?", masked: "◌", proved: "✓"};
export const ORDER = ["violated", "unknown", "masked", "proved"];
export const page = JSON.parse(document.getElementById("page-data").textContent);
export const views = page.views || [], topics = page.topics || [], checks = page.checks || [];
export const svgs = [];  // the texts of drawings, by number

/* In a directory, films are scripts beside the page. */
const beside = new Map();  // number of a film: the function that gets it
window.heapwrightFilm = (number, packed) => beside.get(number)(packed);

export function packedFilm(number) {
  const inside = byId(`film-${number}`);
  if (inside) return inside.textContent;
  return new Promise((found, failed) => {
    beside.set(number, found);
    document.head.append(el("script", {src: `film-${number}.js`, onerror: () => failed(new Error(`film-${number}.js is missing`))}));
  });
}

export async function unpacked(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);  // much faster than an iterator
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
