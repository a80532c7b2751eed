package io.quotaenforcer.enforcer;

import io.quotaenforcer.enforcer.rules.RulesException;
import io.quotaenforcer.enforcer.topics.BrokersException;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.setting.SettingsException;
import io.quotaenforcer.server.HttpException;
import io.quotaenforcer.server.lifecycle.EndingException;
import org.apache.kafka.common.config.ConfigException;

/** The exit codes of all programs and commands. */
public final class ExitCode {
  public static final int DONE = 0;

  /**
   * A promise was broken, a check failed, or the request is refused or its subject does not exist.
   */
  public static final int FAILED = 1;

  /** The command line, or a file that it names, is invalid. */
  public static final int USAGE = 2;

  /** Kafka, the schema registry or an enforcer does not answer. */
  public static final int UNREACHABLE = 3;

  private ExitCode() {}

  /** The exit code of a program that this exception ends. */
  public static int of(Exception e) {
    if (e instanceof SettingsException || e instanceof ConfigException) {
      return USAGE;
    }
    if (e instanceof BrokersException brokers) {
      return switch (brokers.reason()) {
        case UNREACHABLE -> UNREACHABLE;
        case REFUSED -> FAILED;
      };
    }
    if (e instanceof RulesException rules) {
      return rules.isUnreachable() ? UNREACHABLE : FAILED;
    }
    if (e instanceof CodecException codec) {
      return codec.isRetriable() ? UNREACHABLE : FAILED;
    }
    return FAILED;
  }

  /** Whether the exception's message says everything; any other exception is a bug. */
  public static boolean isExpected(Exception e) {
    return e instanceof SettingsException
        || e instanceof BrokersException
        || e instanceof RefusedStartException
        || e instanceof HttpException
        || e instanceof RulesException
        || e instanceof CodecException
        || e instanceof EndingException
        || e instanceof ConfigException;
  }
}
