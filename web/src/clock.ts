// The time that animation and plots share. What is shown is always a frame, that is an output of the run: nothing is interpolated.

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const FIT_SECONDS = 10;
const HOLD_SECONDS = 0.5; // the last picture stands so long before a loop begins again

export type Tick = (clock: Clock) => void;

export class Clock {
  readonly times: ArrayLike<number>;
  readonly start: number;
  readonly end: number;
  /** 0: the whole motion in ten seconds */
  speed: number;
  loop = true;
  playing = false;
  private now: number;
  private index = 0;
  private listeners: Tick[] = [];
  private last = 0;
  private handle = 0;
  private held = 0;

  constructor(times: ArrayLike<number>) {
    this.times = times;
    this.start = times.length ? times[0] : 0;
    this.end = times.length ? times[times.length - 1] : 0;
    this.now = this.start;
    const span = this.end - this.start;
    this.speed = span >= 2 && span <= 30 ? 1 : 0;
  }

  get t(): number {
    return this.now;
  }

  frame(): number {
    return this.index;
  }

  get frames(): number {
    return this.times.length;
  }

  get span(): number {
    return this.end - this.start;
  }

  /** Units of the run's time per second before the screen. */
  get rate(): number {
    return this.speed > 0 ? this.speed : this.span / FIT_SECONDS || 1;
  }

  listen(tick: Tick): void {
    this.listeners.push(tick);
  }

  private tell(): void {
    for (const tick of this.listeners) tick(this);
  }

  /** Goes to time t and shows the frame nearest to it; of frames at the same time (before and after an impact) the last. */
  set(t: number): void {
    if (!Number.isFinite(t)) return;
    this.now = Math.min(this.end, Math.max(this.start, t));
    this.index = nearest(this.times, this.now);
    this.tell();
  }

  /** Goes to a frame by its number. */
  goto(frame: number): void {
    if (!this.times.length) return;
    this.index = Math.min(this.times.length - 1, Math.max(0, Math.round(frame)));
    this.now = this.times[this.index];
    this.tell();
  }

  step(frames: number): void {
    this.pause();
    this.goto(this.index + frames);
  }

  /** One of the speeds further; from "fit" to the nearest of them. */
  faster(by: 1 | -1): void {
    const rate = this.rate;
    let k = SPEEDS.indexOf(this.speed);
    if (k >= 0) k += by;
    else k = by > 0 ? SPEEDS.findIndex((s) => s > rate * 1.0001) : SPEEDS.filter((s) => s < rate * 0.9999).length - 1;
    if (k >= 0 && k < SPEEDS.length) this.speed = SPEEDS[k];
    this.tell();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.tell();
  }

  setLoop(loop: boolean): void {
    this.loop = loop;
    this.tell();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing || this.times.length < 2) return;
    if (this.now >= this.end) this.set(this.start);
    this.playing = true;
    this.last = 0;
    this.handle = requestAnimationFrame(this.beat);
    this.tell();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.handle);
    this.tell();
  }

  private beat = (stamp: number): void => {
    if (!this.playing) return;
    // A page that was hidden does not jump: at most a tenth of a second passes in one picture.
    const seconds = this.last ? Math.min(0.1, (stamp - this.last) / 1000) : 0;
    this.last = stamp;
    let next = this.now + seconds * this.rate;
    if (next >= this.end) {
      this.held = this.now >= this.end ? this.held + seconds : 0;
      next = this.loop && this.held > HOLD_SECONDS ? this.start : this.end;
    }
    const stop = next >= this.end && !this.loop;
    this.handle = requestAnimationFrame(this.beat);
    this.set(next);
    if (stop) this.pause();
  };
}

/** Number of the entry of the increasing list nearest to t; of equal entries the last. */
export function nearest(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length; // first entry above t
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] > t) high = middle;
    else low = middle + 1;
  }
  if (low === 0) return 0;
  if (low === times.length) return times.length - 1;
  if (times[low] - t >= t - times[low - 1]) return low - 1;
  let last = low; // an impact: before and after have one time
  while (last + 1 < times.length && times[last + 1] === times[low]) last++;
  return last;
}
