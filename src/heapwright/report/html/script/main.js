/* Addresses, keys, and the start. */
import {byId, el} from "./elements.js";
import {ORDER, checks, page, svgs, topics, unpacked, views} from "./data.js";
import {about, filterBar, filters, isShown, listFindings, select, sorted} from "./findings.js";
import {choose, chosen, list, main, more, present, source, topicList} from "./panels.js";
import {listViews, selectView} from "./proofs.js";
import {listTopics, selectTopic} from "./topics.js";

source.onCheck = (check) => select(check);
source.onView = (view) => selectView(view);

function openAddress() {
  const told = /^#topic-(\d+)$/.exec(location.hash), topic = told && topics[Number(told[1]) - 1];
  if (topic) {
    selectTopic(topic);
    return true;
  }
  const match = /^#(\d+)(?:\/(\d+))?$/.exec(location.hash);
  const view = match && views[Number(match[1]) - 1];
  if (view) {
    selectView(view, match[2] ? Number(match[2]) - 1 : undefined);
    return true;
  }
  const check = match && checks[Number(match[1]) - 1];
  if (check) select(check, match[2] ? Number(match[2]) - 1 : undefined);
  return Boolean(check);
}

function onKey(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches("select, input[type=search]")) return;
  if (event.key === "j" || event.key === "k") {
    const [all, one, open] = chosen.view ? [views, chosen.view, selectView] : chosen.topic ? [topics, chosen.topic, selectTopic]
      : [sorted.filter(isShown), chosen.check, select];
    const next = all[all.indexOf(one) + (event.key === "j" ? 1 : -1)];
    if (next) open(next);
    return;
  }
  const player = chosen.player;
  if (!player || (target === player.slider && event.key !== " ")) return;
  const button = target.matches("button, [role=button], summary, input");
  const actions = {ArrowLeft: () => player.move(-1), ArrowRight: () => player.move(1), Home: () => player.go(0),
    End: () => player.go(player.film.length - 1), " ": () => player.toggle()};
  const action = actions[event.key];
  if (!action || (button && event.key === " ")) return;
  action();
  event.preventDefault();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
let theme = "";
function paint() { document.documentElement.dataset.theme = theme || (dark.matches ? "dark" : "light"); }
dark.addEventListener("change", paint);
paint();

function start() {
  const toggle = el("button", {type: "button", onclick: () => {
    theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    paint();
  }}, "light / dark");
  const showAbout = el("button", {type: "button", onclick: () => {
    choose({});
    present(about());
  }}, "assumptions");
  if (checks.length && !checks.some((check) => check.verdict !== "proved")) filters.verdict = "";
  document.body.append(el("a", {class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); }},
    "Skip to the finding"), el("div", {id: "app"},
    el("header", {}, page.index ? el("a", {href: page.index}, "all units") : null, el("h1", {}, page.title), page.verdict ? el("span", {class: `verdict ${page.verdict}`}, page.verdict) : null,
      el("span", {}, page.summary), el("span", {class: "space"}), showAbout, toggle),
    el("nav", {"aria-label": checks.length ? "Findings" : views.length ? "Lines" : "Topics", tabindex: 0},
      checks.length ? filterBar() : null, topics.length ? topicList : null, list, more), main));
  listTopics();
  if (views.length) listViews(); else if (checks.length) listFindings();
  present(about());
  addEventListener("hashchange", () => { if (location.hash !== chosen.address) openAddress(); });
  document.addEventListener("keydown", onKey);
  if (openAddress()) return;
  if (views.length) {
    const most = Math.max(...views.map((view) => view.heaps.length));
    selectView(views.find((view) => view.heaps.length === most));
    return;
  }
  if (topics.length && !checks.length) {
    selectTopic(topics[0]);
    return;
  }
  const first = ORDER.map((verdict) => checks.find((check) => check.verdict === verdict)).find(Boolean);
  if (first) select(first);
  else if (page.files.length) source.open(page.files[0].name, 1);
}
(async () => {
  if (byId("drawings")) svgs.push(...await unpacked(byId("drawings").textContent));
  start();
  document.documentElement.dataset.ready = "true";
})();
