package io.quotaenforcer.bench.approximation;

/** Requests of numbered sources, in order of time. */
interface Requests {

  /** Name of the traffic, for a person. */
  String name();

  /** Sources are numbered from 0 to one less. */
  int sources();

  void forEach(Sink sink);

  /** Gets each request once. */
  @FunctionalInterface
  interface Sink {
    /**
     * A request.
     *
     * @param nanos when; never runs backwards
     */
    void accept(int source, long nanos);
  }
}
