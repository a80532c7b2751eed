/**
 * Holds gRPC calls to quotas: an interceptor for servers, and one for clients that limit what they
 * call. Both decide by an {@link io.quotaenforcer.client.Admission} before a call begins.
 */
@NullMarked
package io.quotaenforcer.grpc;

import org.jspecify.annotations.NullMarked;
