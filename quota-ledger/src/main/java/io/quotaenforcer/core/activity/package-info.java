/** What reports said lately, in bounded memory: the largest quota keys, sums, and who reported. */
@NullMarked
package io.quotaenforcer.core.activity;

import org.jspecify.annotations.NullMarked;
