// Arrow keys between the buttons of a grid; the Tab key stops at one of them only.

// `container` holds the buttons in rows of so many columns; they may be replaced later.
export function useArrowKeys(container, columns) {
  container.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const cells = [...container.children];
    const from = cells.indexOf(event.target);
    if (!step || from < 0) return;
    event.preventDefault();
    let at = from + step;
    while (cells[at] && !canBeUsed(cells[at])) at += step;
    const leavesRow = Math.abs(step) === 1 && Math.floor(at / columns) !== Math.floor(from / columns);
    if (cells[at] && !leavesRow) cells[at].focus();
  });
  container.addEventListener("focusin", (event) => stopAt(container, event.target));
}

// The button at which the Tab key stops; without one, the first that can be used.
export function stopAt(container, cell = null) {
  const cells = [...container.children];
  const chosen = cells.includes(cell) ? cell : cells.find(canBeUsed);
  for (const one of cells) one.tabIndex = one === chosen ? 0 : -1;
}

const canBeUsed = (cell) => !cell.disabled && !cell.classList.contains("impossible");
