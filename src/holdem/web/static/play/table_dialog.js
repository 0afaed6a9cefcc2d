// The table that somebody wants: seats, stacks, opponents, policy and search, from what the server lists.
import { byId, element, getJson } from "../widgets/cards.js";

const POLICYS_BOT = "";
const NUMBERS = ["stack_blinds", "time_ms"];

// A promise of the options; null if nothing was chosen. `before` is what was chosen last.
export async function chooseTable(before) {
  const lists = await getJson("/data/table");
  const dialog = byId("table-dialog"), form = byId("table-form");
  const chosen = { ...lists.default, ...before };
  const one = chosen.opponents?.length ? chosen.opponents[0] : POLICYS_BOT;
  fill(form.seats, lists.seats.map((seats) => [seats, `${seats} seats`]), chosen.seats);
  bound(form.stack_blinds, lists.stack_blinds, chosen.stack_blinds);
  bound(form.time_ms, lists.time_ms, chosen.time_ms);
  form.search.checked = chosen.search;
  const fitting = () => lists.policies.filter((policy) => policy.seats === Number(form.seats.value)).map((policy) => policy.name);
  const fillNames = (policy, opponent) => {
    const names = fitting();
    fill(form.policy, names.map((name) => [name, name]), policy);
    form.policy.closest("label").hidden = !names.length;
    const bots = names.flatMap((name) => [[name, `${name}, no search`], [name + lists.with_search, name + lists.with_search]]);
    const own = names.length ? [[POLICYS_BOT, "the bot of this policy"]] : [];
    fill(form.opponents, [...own, ...lists.baselines.map((name) => [name, name]), ...bots], opponent);
  };
  fillNames(chosen.policy, one);
  form.seats.onchange = () => fillNames(form.policy.value, form.opponents.value);
  const first = optionsOf(form);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "sit" ? { ...before, ...chosenSince(first, optionsOf(form)) } : null);
  });
}

// What was chosen in the form: all that belongs together, but what nobody touched and the form cannot show stays as it was.
function chosenSince(first, now) {
  const changed = Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(first[name]));
  const players = changed.some((name) => !NUMBERS.includes(name)); // who sits where is chosen as a whole
  return Object.fromEntries(Object.entries(now).filter(([name]) => changed.includes(name) || (players && !NUMBERS.includes(name))));
}

function optionsOf(form) {
  return {
    seats: Number(form.seats.value),
    stack_blinds: Number(form.stack_blinds.value),
    policy: form.policy.value || null,
    opponents: form.opponents.value ? [form.opponents.value] : [],
    search: form.search.checked,
    time_ms: Number(form.time_ms.value),
  };
}

function fill(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, words]) => {
    const option = element("option", "", words);
    option.value = value;
    option.selected = String(value) === String(chosen);
    return option;
  }));
}

function bound(input, [least, most], value) {
  Object.assign(input, { min: least, max: most, value });
}
