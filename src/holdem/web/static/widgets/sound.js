// Short tones without files, for those who switch them on.
const TONES = { turn: [[660, 0], [880, 0.09]], deal: [[330, 0]], won: [[523, 0], [659, 0.1], [784, 0.2]], lost: [[294, 0], [247, 0.12]] };
let audio = null;

export function playSound(name) {
  audio ??= new AudioContext();
  for (const [frequency, after] of TONES[name]) {
    const start = audio.currentTime + after;
    const tone = new OscillatorNode(audio, { frequency, type: "sine" });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.16);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.18);
  }
}
