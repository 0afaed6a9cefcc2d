"""AIVAT for three to six players, by control variates on everybody's cards.

After a hand all cards are known, and the cards that were never dealt too. A player acts on what it sees, so the rest of
the deal is independent of what it draws: a guess about the end of the hand may look at all of it. `luck` adds up, at
every move whose chances are known, the guess after the move minus its mean; whatever the guesses are, that has the mean
zero.

- **The board**: a pot is guessed to be shared as if everybody were all-in (`evaluation.kernels.shares`, exact), so the
  mean over the next cards is the guess before them.
- **Actions** of known strategies: what blueprints would win from there on with these very cards, over all lines of play
  (`deal_values`).

Guesses by players unlike those at the table may be poor, so a match fits how much of each part of luck it takes off
(`evaluation.match.fitted_luck`). Between blueprints of one tree these guesses are what is really played; then nothing
has to be drawn at all, and the mean over all lines is the result (`expected_match`). Everywhere else `table` corrects
hands after they are over.
"""
