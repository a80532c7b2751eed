/** The console: pages for a browser, which ask the HTTP API. */
@NullMarked
package io.quotaenforcer.enforcer.console;

import org.jspecify.annotations.NullMarked;
