/**
 * Shared by adapters to HTTP frameworks: who sent a request and what for, whether it is admitted,
 * and how the answer says so.
 */
@NullMarked
package io.quotaenforcer.http;

import org.jspecify.annotations.NullMarked;
