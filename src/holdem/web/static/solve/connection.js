// The websocket of a solve: questions are promises of their answers, all else goes to `heard(message)`.

const AGAIN_MS = 2000;
const REFUSED = 1000; // how the server closes a page that it does not want; it has said why
export const GONE = "the connection to the server was lost, and with it what it solved; the page tries again every two seconds";
// Why there is no answer; `solved`, where it is known: whether what was solved before is still there.
const refusal = (words, solved) => Object.assign(new Error(words), { solved });
const LONGEST = 65_000; // letters of a message that the server takes
export const LONGEST_SPOT = LONGEST - 300; // beside it a start says how to solve

export class Connection {
  // `lost(words)` is called when the server is gone; the page goes on trying, unless it was sent away.
  constructor(heard, lost) {
    this.heard = heard;
    this.lost = lost;
    this.last = ""; // what the server has said without being asked
    this.requests = 0;
    this.waiting = new Map();
    this.open();
  }

  open() {
    this.socket = new WebSocket(location.href.replace(/^http/, "ws").replace(/[?#].*/, ""));
    this.opened = new Promise((resolve, reject) => {
      this.socket.onopen = () => {
        this.known = false;
        resolve();
      };
      this.refuse = () => reject(new Error(GONE));
    });
    this.opened.catch(() => {}); // whoever asks is told
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = ({ code }) => {
      const words = code === REFUSED && this.last ? this.last : GONE;
      this.forget(words);
      this.refuse();
      this.opened = Promise.reject(new Error(words));
      this.opened.catch(() => {});
      if (!this.known) this.lost(words); // once, however often the page tries in vain
      this.known = true;
      if (words === GONE) setTimeout(() => this.open(), AGAIN_MS);
    };
  }

  // Nobody answers what was asked, and what was solved is gone.
  forget(words) {
    for (const { reject } of this.waiting.values()) reject(refusal(words, false));
    this.waiting.clear();
  }

  take(message) {
    if (message.type === "ended") this.forget(message.text);
    if (message.type === "refused" && message.request === null) this.last = message.text;
    const asked = this.waiting.get(message.request);
    if (!asked) return this.heard(message);
    this.waiting.delete(message.request);
    if (message.type === "refused") asked.reject(refusal(message.text, message.solved));
    else asked.resolve(message);
    if (message.type === "stopped") this.heard(message);
  }

  async ask(type, content = {}) {
    await this.opened;
    const request = ++this.requests;
    const message = JSON.stringify({ type, request, ...content });
    if (message.length > LONGEST) throw new Error("the spot is too long to be sent; lock with shares instead of hand by hand, or write ranges in fewer classes");
    this.socket.send(message);
    return new Promise((resolve, reject) => this.waiting.set(request, { resolve, reject }));
  }
}
