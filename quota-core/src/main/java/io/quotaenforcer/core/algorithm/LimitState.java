package io.quotaenforcer.core.algorithm;

/**
 * What an algorithm remembers of one quota key. Immutable; the state of one algorithm means nothing
 * to another, which refuses it by a {@link ClassCastException}.
 */
public interface LimitState {}
