package io.quotaenforcer.docs;

import java.util.List;
import java.util.stream.Stream;

/** Every page that is written from the code, and every other file that is. */
public final class Pages {
  /** Writes them all to where they belong; works from a clean clone. */
  public static final String COMMAND = "mvn -pl topology-docs -am test -Ddocs.write";

  private Pages() {}

  public static List<Page> all() {
    return Stream.concat(
            Stream.of(
                TopologyPage.write(),
                TopicsPage.write(),
                SettingsPage.write(),
                MetricsPage.write(),
                CommandsPage.write(),
                HttpApiPage.write(),
                HttpApiPage.openApi(),
                CompletionFile.write()),
            StrimziFiles.write().stream())
        .toList();
  }
}
