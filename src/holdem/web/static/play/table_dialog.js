// The table that somebody wants: seats, stacks, opponents, policy and search, from what the server lists.
import { byId, element, getJson } from "../widgets/cards.js";

// Choices that are no names of the server's lists: a name neither is empty nor ends with a stroke.
const NO_POLICY = "", POLICYS_BOT = "", AS_STARTED = "started/", EACH = "each/";
const NUMBERS = ["stack_blinds", "time_ms"];

// A promise of the options; null if nothing was chosen. `before` is what was chosen last.
export async function chooseTable(before) {
  const lists = await getJson("/data/table");
  const dialog = byId("table-dialog"), form = byId("table-form");
  const chosen = { ...lists.default, ...before };
  fill(form.seats, lists.seats.map((seats) => [seats, `${seats} seats`]), chosen.seats);
  for (const name of NUMBERS) {
    const [least, most] = lists[name];
    Object.assign(form[name], { min: least, max: most, value: before[name] ?? "" });
  }
  form.time_ms.placeholder = lists.default.time_ms;
  form.search.checked = chosen.search;
  const players = new PlayerFields(form, lists);
  players.fill(chosen.policy, chosen.opponents);
  form.seats.onchange = form.policy.onchange = () => players.fill(form.policy.value, players.opponents());
  form.opponents.onchange = () => players.showEach();
  const first = optionsOf(form, players);
  dialog.returnValue = "";
  byId("table-cancel").onclick = () => dialog.close("");
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "sit" ? { ...before, ...chosenSince(first, optionsOf(form, players)) } : null);
  });
}

// Policy, opponents and what their table has if no number is typed: they hang on the seats, and on each other.
class PlayerFields {
  constructor(form, lists) {
    Object.assign(this, { form, lists, each: byId("each-opponent") });
    this.each.replaceChildren(); // of the dialog before
  }

  get seats() {
    return Number(this.form.seats.value);
  }

  // Fills the choices for these seats; what was chosen stays chosen where it is still there.
  fill(policy, opponents) {
    const { form, lists } = this, started = lists.default;
    const policies = lists.policies.filter((one) => one.seats === this.seats);
    const without = started.policy === null && started.seats === this.seats ? [[NO_POLICY, "none, as the server was started"]] : [];
    fill(form.policy, [...without, ...policies.map(({ name }) => [name, name])], policy ?? NO_POLICY);
    form.policy.closest("label").hidden = !policies.length;
    const playing = policies.find((one) => one.name === form.policy.value);
    form.stack_blinds.placeholder = (playing ?? started).stacks;
    // The difference comes first: the end of a long name is cut where the field is narrow.
    const bots = policies.flatMap(({ name }) => [[name, `no search: ${name}`], [name + lists.with_search, `searches: ${name}`]]);
    this.named = [...lists.baselines.map((name) => [name, name]), ...bots];
    const own = (playing?.name ?? null) === started.policy && this.seats === started.seats;
    const unnamed = [...(own && started.opponents === null ? [[AS_STARTED, "as the server was started"]] : []), ...(playing ? [[POLICYS_BOT, "the bot of this policy"]] : [])];
    const mixed = this.seats > 2 ? [[EACH, "another one in each seat…"]] : [];
    fill(form.opponents, [...unnamed, ...this.named, ...mixed], chosenFor(opponents));
    this.before = opponents ?? [];
    this.showEach();
  }

  // A choice for each other seat where they differ, clockwise from the person's; at first those who sat there before.
  showEach() {
    const { form, lists } = this;
    const bot = form.policy.value + (form.search.checked ? lists.with_search : "");
    this.each.hidden = form.opponents.value !== EACH;
    this.each.replaceChildren(...Array.from({ length: this.each.hidden ? 0 : this.seats - 1 }, (_, place) => {
      const select = element("select");
      fill(select, this.named, this.before[place] ?? this.before[0] ?? bot);
      return element("label", "", `bot ${place + 1}${place ? "" : ", on your left"}`, select);
    }));
    this.before = this.opponents() ?? [];
  }

  // Names as the server takes them; null: those of the table as it was started.
  opponents() {
    const value = this.form.opponents.value;
    if (value === EACH) return [...this.each.querySelectorAll("select")].map((select) => select.value);
    if (value === AS_STARTED) return null;
    return value === POLICYS_BOT ? [] : [value];
  }
}

function chosenFor(opponents) {
  if (opponents === null) return AS_STARTED;
  return opponents.length > 1 ? EACH : opponents[0] ?? POLICYS_BOT;
}

// What was chosen in the form: all that belongs together, but what nobody touched and the form cannot show stays as it was.
function chosenSince(first, now) {
  const changed = Object.keys(now).filter((name) => JSON.stringify(now[name]) !== JSON.stringify(first[name]));
  const players = changed.some((name) => !NUMBERS.includes(name)); // who sits where is chosen as a whole
  return Object.fromEntries(Object.entries(now).filter(([name]) => changed.includes(name) || (players && !NUMBERS.includes(name))));
}

// A number that is not typed is that of the table.
function optionsOf(form, players) {
  const typed = (input) => (input.value ? Number(input.value) : null);
  return {
    seats: players.seats,
    stack_blinds: typed(form.stack_blinds),
    policy: form.policy.value || null,
    opponents: players.opponents(),
    search: form.search.checked,
    time_ms: typed(form.time_ms),
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
