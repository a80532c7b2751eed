package io.quotaenforcer.core.algorithm;

/**
 * The state that an algorithm keeps for one quota key. Immutable; the state of one algorithm means
 * nothing to another, which refuses it by a {@link ClassCastException}.
 */
public interface LimitState {}
