package io.quotaenforcer.enforcer.demo;

/** How long one loop took from report to answer, in milliseconds. */
public record LoopTimes(double p50, double p99) {}
