/** Access logs as requests: parsing, pacing and reporting. */
@NullMarked
package io.quotaenforcer.cli.log;

import org.jspecify.annotations.NullMarked;
