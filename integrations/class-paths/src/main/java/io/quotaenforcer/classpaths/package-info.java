/** A small service that embeds the admission client, to be run with other libraries beside it. */
@NullMarked
package io.quotaenforcer.classpaths;

import org.jspecify.annotations.NullMarked;
