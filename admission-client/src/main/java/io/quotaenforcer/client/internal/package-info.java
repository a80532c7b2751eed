/**
 * The parts of an admission client that services do not call. Everything below this package may
 * change with any version; a test in each module keeps others out.
 */
@NullMarked
package io.quotaenforcer.client.internal;

import org.jspecify.annotations.NullMarked;
