/* What is said beside checks and heaps. */
import {el, replace} from "./elements.js";
import {topics} from "./data.js";
import {picture} from "./pictures.js";
import {choose, finding, markCurrent, present, remember, source, topicList} from "./panels.js";

const MOST_DRAWINGS = 40;

export function selectTopic(topic) {
  choose({topic});
  const place = topics.indexOf(topic);
  markCurrent((button) => button.dataset.topic === String(place));
  replace(finding, el("h2", {}, topic.title));
  const rows = el("tbody", {}), nodes = el("ol", {class: "tree mono"});
  const grown = (container, all, make, step) => {
    const rest = el("button", {type: "button"}), grow = () => {
      const from = container.childElementCount;
      container.append(...all.slice(from, from + step).map(make));
      rest.textContent = `show ${Math.min(step, all.length - container.childElementCount)} more`;
      if (container.childElementCount >= all.length) rest.remove();
    };
    rest.addEventListener("click", grow);
    grow();
    return all.length > step ? rest : null;
  };
  const linkedRows = topic.rows.map((row, number) => [row, topic.links && topic.links[number]]);
  const moreRows = grown(rows, linkedRows, ([row, address]) => el("tr", {class: row[0]},
    row.map((cell, column) => el("td", {}, column === 1 && address ? el("a", {href: address}, cell) : cell))), 150);
  const moreNodes = grown(nodes, topic.tree, ([depth, name, text, end]) => el("li", {class: `depth-${Math.min(depth, 12)}`},
    el("span", {}, name), el("div", {class: "dim"}, text, end ? el("strong", {}, ` ${end}`) : null)), 250);
  present(el("section", {class: "stage topic", tabindex: 0, "aria-label": topic.title}, topic.text.map((text) => el("p", {}, text)),
    topic.rows.length ? el("div", {class: "wide-table"}, el("table", {}, el("thead", {}, el("tr", {}, topic.columns.map((name) => el("th", {scope: "col"}, name || " ")))), rows)) : null,
    moreRows, topic.tree.length ? nodes : null, moreNodes,
    el("div", {class: "gallery"}, topic.drawings.slice(0, MOST_DRAWINGS).map((one) => picture(one, one.caption, []))),
    topic.drawings.length > MOST_DRAWINGS ? el("p", {class: "dim"}, `${topic.drawings.length - MOST_DRAWINGS} more are not drawn.`) : null));
  if (topic.span) {
    const [file, line, column, endLine, endColumn] = topic.span;
    source.show({file, line, column, endLine, endColumn}, false);
    source.reveal();
  } else source.clear();
  remember(`#topic-${place + 1}`);
}

export function listTopics() {
  replace(topicList, topics.map((topic, index) => el("li", {}, el("button", {type: "button", "data-topic": index,
    onclick: () => selectTopic(topic)}, topic.title))));
}
