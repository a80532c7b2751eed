/** What a doctor says of a cluster: facts that were gathered, judged without asking anybody. */
@NullMarked
package io.quotaenforcer.cli.doctor;

import org.jspecify.annotations.NullMarked;
