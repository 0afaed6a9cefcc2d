// The head of every page: the rooms of the house, and a place for a remark of the page itself.
import { element } from "./cards.js";

const ROOMS = [["/", "Play"], ["/solve", "Solve"], ["/strategy", "Strategy"], ["/review", "Review"], ["/training", "Training"]];

// Fills the element of the class `top`; the remark goes into its element `aside`, which stays.
export function showHeader() {
  const links = ROOMS.map(([address, name]) => {
    const link = element("a", "", name);
    link.href = address;
    if (address === location.pathname) link.setAttribute("aria-current", "page");
    return link;
  });
  const nav = element("nav", "", ...links);
  nav.setAttribute("aria-label", "rooms");
  document.querySelector(".top").prepend(element("span", "brand", "hold", element("i", "", "♥"), "em"), nav);
}
