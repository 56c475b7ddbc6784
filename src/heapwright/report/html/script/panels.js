/* What stands where on the page, and what is chosen. */
import {el, replace} from "./elements.js";
import {page} from "./data.js";
import {SourceView} from "./source.js";

const PAUSE = 150;  // milliseconds until an address is written: browsers take long for it

export const source = new SourceView();
export const list = el("ol", {class: "list"}), topicList = el("ol", {class: "list topics"}), more = el("div", {class: "more"});
export const finding = el("section", {class: "finding", "aria-label": "Finding"});
export const main = el("main", {id: "main", tabindex: -1, class: page.files.length ? "" : "alone"});
/* At most one of check, view and topic is chosen; a check may have a player. */
export const chosen = {check: null, view: null, topic: null, player: null, address: ""};

export function choose(what) {
  if (chosen.player) chosen.player.pause();
  Object.assign(chosen, {check: null, view: null, topic: null, player: null}, what);
}

/* Shows something beside the source, which stays in its place: ranges in what is taken out collapse. */
export function present(right) {
  if (source.element.parentNode === main) main.lastChild.replaceWith(right);
  else replace(main, finding, page.files.length ? source.element : el("div", {class: "no-source"}), right);
}

export function markCurrent(isCurrent) {
  for (const button of document.querySelectorAll("nav .list button")) {
    if (isCurrent(button)) {
      button.setAttribute("aria-current", "true");
      button.scrollIntoView({block: "nearest"});
    } else button.removeAttribute("aria-current");
  }
}

let writing = 0;
export function remember(address) {
  chosen.address = address;
  clearTimeout(writing);
  writing = setTimeout(() => {
    try { history.replaceState(null, "", address); } catch { /* in a sandboxed frame there are no addresses */ }
  }, PAUSE);
}
