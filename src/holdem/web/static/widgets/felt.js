// The table as somebody at it sees it: seats around the felt, the board, the pot; what a `table` message holds.
import { card, cardBack, chips, element } from "./cards.js";

// `felt` is an element of the class `felt` whose content is replaced, except for what has the class `waiting`.
export function showFelt(felt, message, you) {
  felt.dataset.seats = message.seats.length;
  felt.querySelectorAll(".seat, .bet, .middle").forEach((old) => old.remove());
  felt.append(middleView(message));
  message.seats.forEach((seat, number) => {
    const place = placeOf(number - you, message.seats.length);
    felt.append(...[seatView(seat, number === you), ...(seat.bet ? [element("div", "bet", chips(seat.bet))] : [])].map((made) => {
      made.style.setProperty("--cos", place.cos);
      made.style.setProperty("--sin", place.sin);
      made.style.setProperty("--apart", place.apart);
      return made;
    }));
  });
}

function middleView(message) {
  const pot = element("div", "pot", element("span", "street", message.street), `pot ${chips(message.pot)}`);
  pot.hidden = !message.pot;
  const slots = Array.from({ length: 5 - message.board.length }, () => element("span", "card slot"));
  const board = element("div", "board", ...message.board.map(card), ...slots);
  return element("div", "middle", pot, board);
}

function placeOf(after, seats) {
  // The person sits at the bottom, the others follow clockwise.
  const angle = Math.PI / 2 + (2 * Math.PI * after) / seats;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { cos: cos.toFixed(4), sin: sin.toFixed(4), apart: `${apart(sin)}%` };
}

// How far down a seat is on a narrow screen: above or below the board, for there is no room beside it.
const apart = (sin) => (sin > 0.99 ? 90 : sin > 0.2 ? 70 : 24 + 14 * sin);

function seatView(seat, you) {
  const classes = ["seat", you && "you", !seat.live && "folded", seat.won && "winner"].filter(Boolean).join(" ");
  const hole = element("div", "hole", ...(seat.cards.length ? seat.cards.map(card) : seat.live ? [cardBack(), cardBack()] : []));
  const who = element("div", "who", seat.name, element("em", "", seat.position));
  const plate = element("div", "plate", who, element("div", "stack", chips(seat.stack)));
  if (seat.button) {
    const dealer = element("span", "dealer", "D");
    dealer.title = "the button";
    plate.append(dealer);
  }
  return element("div", classes, hole, plate, element("div", "last", seat.won ? `wins ${chips(seat.won)}` : seat.last));
}
