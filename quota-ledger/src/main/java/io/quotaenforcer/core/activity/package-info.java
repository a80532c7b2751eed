/**
 * Recent reports in bounded memory: the largest quota keys, sums, and who reported. No section of
 * protocol.md depends on it.
 */
@NullMarked
package io.quotaenforcer.core.activity;

import org.jspecify.annotations.NullMarked;
