package io.quotaenforcer.cli;

import org.apache.kafka.common.utils.AppInfoParser;
import picocli.CommandLine.IVersionProvider;

/** The versions of this program and of its platform. */
final class VersionProvider implements IVersionProvider {
  static String program() {
    String version = Quota.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "quota " + program(),
      "Kafka clients and Streams " + AppInfoParser.getVersion(),
      "Java " + Runtime.version(),
    };
  }
}
