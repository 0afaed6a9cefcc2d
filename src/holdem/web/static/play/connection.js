// The connection of the play page: a token in the page's storage finds the table again, also after a reload.
import { ofVisit } from "../widgets/storage.js";

const TOKEN = "table token", OPTIONS = "table options";
const PAUSES = [300, 700, 1500, 3000, 6000, 10000, 15000];
const SILENCE = 10_000; // ms: a table shows an action at once, so whoever hears nothing for so long is cut off without knowing it
const LEFT = 1000, SERVER_ENDS = 1012, TAKEN_OVER = 4000, CUT_OFF = 4001;

export class Connection {
  // `on` has: message(content), connecting(), lost(seconds to the next try, tries, whether the server has ended), closed(whether the person left).
  constructor(on) {
    this.on = on;
    this.tries = 0;
    addEventListener("online", () => this.timer && this.connect());
    document.addEventListener("visibilitychange", () => this.timer && !document.hidden && this.connect());
    addEventListener("offline", () => this.open && this.socket.close(CUT_OFF));
  }

  connect() {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.timer = null;
    this.leaving = false;
    this.welcomed = false;
    this.on.connecting(this.tries);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(hello()));
    socket.onmessage = (event) => {
      clearTimeout(this.silence);
      this.tries = 0;
      this.ended = false;
      const content = JSON.parse(event.data);
      if (content.type === "welcome") {
        this.welcomed = true;
        ofVisit.set(TOKEN, content.token);
      }
      if (socket === this.socket) this.on.message(content);
    };
    socket.onclose = (event) => socket === this.socket && this.closed(event.code);
  }

  closed(code) {
    if (this.leaving || code === LEFT || code === TAKEN_OVER) {
      if (code !== TAKEN_OVER) ofVisit.remove(TOKEN);
      if (!this.welcomed && !this.leaving) ofVisit.remove(OPTIONS); // a table that was refused is not asked for again
      this.on.closed(this.leaving);
      return;
    }
    this.ended ||= code === SERVER_ENDS;
    if (this.ended) this.tries = Math.max(this.tries, 3); // it takes its time until there is a server again
    const pause = PAUSES[Math.min(this.tries++, PAUSES.length - 1)];
    this.timer = setTimeout(() => this.connect(), pause);
    this.on.lost(Math.ceil(pause / 1000), this.tries, this.ended);
  }

  // Another table: the server plays the present hand to its end, whatever it is waiting for.
  sitDown(options) {
    this.leave();
    ofVisit.remove(TOKEN);
    if (options) ofVisit.set(OPTIONS, JSON.stringify(options));
    this.connect();
  }

  leave() {
    this.leaving = true;
    clearTimeout(this.timer);
    this.timer = null;
    ofVisit.remove(TOKEN);
    if (!this.socket || this.socket.readyState === WebSocket.CLOSED) this.closed(LEFT); // the connection is lost: nobody else says so
    else this.socket.close(LEFT);
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  // `prompt`: whether the table has something to show at once.
  send(content, prompt) {
    const { socket } = this;
    socket.send(JSON.stringify(content));
    if (!prompt) return;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => socket === this.socket && this.open && this.drop(), SILENCE);
  }

  // Nobody waits for the end of a connection that is dead; the next one finds the same table.
  drop() {
    const dead = this.socket;
    this.socket = null;
    dead.close(CUT_OFF);
    this.closed(CUT_OFF);
  }
}

function hello() {
  const token = ofVisit.get(TOKEN), table = chosenOptions();
  return token ? { token, table } : { table };
}

// What was chosen for the last table of this page; nothing: the table as the server was started.
export function chosenOptions() {
  return JSON.parse(ofVisit.get(OPTIONS) ?? "{}");
}
