package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;

/**
 * A deferred request, and how it stands.
 *
 * @param bytes of its record
 * @param released whether it was released and its result is awaited; it waits else
 */
public record DeferredEntry(
    DeferredPlace place, DeferredRequest request, int bytes, boolean released) {}
