package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.core.Request;

/**
 * A request to come.
 *
 * @param dueNanos since the start of the load
 * @param of number of the user or of the class that asks
 */
record Ask(long dueNanos, int of, Request request) {}
