package io.quotaenforcer.simulation;

/** A run that is drawn from a seed; its text is the story of what was drawn. */
interface DrawnRun {
  /** Runs it to its end; to be called once. */
  Verdict judge();

  LoopSimulation simulation();
}
