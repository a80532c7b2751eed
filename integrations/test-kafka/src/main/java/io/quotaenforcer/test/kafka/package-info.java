/** For tests of services that want the whole: a broker and an enforcer in the test's process. */
@NullMarked
package io.quotaenforcer.test.kafka;

import org.jspecify.annotations.NullMarked;
