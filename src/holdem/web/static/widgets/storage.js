// The browser's storage, or the page's own memory where the browser keeps nothing: the page works all the same.

class Storage {
  // `kind`: "localStorage" or "sessionStorage"; asking for it may already fail.
  constructor(kind) {
    this.kind = kind;
    this.memory = new Map();
  }

  get(name) {
    let kept = null;
    try {
      kept = window[this.kind].getItem(name);
    } catch {
      // blocked
    }
    return kept ?? this.memory.get(name) ?? null;
  }

  set(name, text) {
    try {
      window[this.kind].setItem(name, text);
    } catch {
      this.remove(name); // blocked, or full; what was there is of before
    }
    this.memory.set(name, text);
  }

  remove(name) {
    this.memory.delete(name);
    try {
      window[this.kind].removeItem(name);
    } catch {
      // nothing was kept
    }
  }
}

export const ofVisit = new Storage("sessionStorage");
export const ofBrowser = new Storage("localStorage");
