package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keys by which values are hashed change while instances decide. */
@Timeout(720)
class HashKeyRotationIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(40);
  private static final long ABOUT_MILLIS = 500;

  @TempDir Path folder;

  /** Requests admitted by the strict rule, by the number of the window. */
  private final Map<Long, Integer> admitted = new TreeMap<>();

  @AutoClose private final Opened open = new Opened();
  private HashedSite site;

  @BeforeEach
  void start() throws Exception {
    site = new HashedSite(open, folder);
  }

  /** Another key comes while instances decide; the old one goes once all have both. */
  @Test
  void rotationUnderLoad_isNeverOverAFixedWindow() throws Exception {
    String other = site.quota("hash", "--generate", "2026-12");
    String first = Files.readString(site.keys).strip();
    List<AdmissionClient> clients = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path file = folder.resolve("keys-" + i);
      HashedSite.writeKeys(file, first);
      Map<String, Object> settings = site.settings("rotating-" + i);
      settings.put("hash.keys.file", file.toString());
      AdmissionClient client = AdmissionClient.create(settings);
      open.add(client);
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      clients.add(client);
      files.add(file);
    }
    loadWindows(clients, 1);
    for (int i = 0; i < clients.size(); i++) {
      HashedSite.writeKeys(files.get(i), first + "\n" + other.strip());
      loadUntilItHas(clients, i, 2);
    }
    // Now both have counted all of a window.
    loadWindows(clients, 2);
    for (int i = 0; i < clients.size(); i++) {
      HashedSite.writeKeys(files.get(i), other);
      loadUntilItHas(clients, i, 1);
    }
    loadWindows(clients, 1);

    assertThat(admitted.values())
        .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(HashedSite.STRICT_PERMITS));
    assertThat(admitted.values())
        .filteredOn(each -> each >= HashedSite.STRICT_PERMITS - 5)
        .hasSizeGreaterThan(2);
    String both = Files.writeString(site.keys, first + "\n" + other).toString();
    assertThat(
            site.quota(
                "usage",
                "get",
                "--rule",
                HashedSite.STRICT_RULE,
                "email=" + HashedSite.SECRET,
                site.atEnforcer(),
                "--hash-keys=" + both))
        .contains("h.2026-11.", "h.2026-12.");
  }

  private void loadUntilItHas(List<AdmissionClient> clients, int changed, int quotaKeys) {
    await()
        .pollInSameThread()
        .atMost(TIMEOUT)
        .until(
            () -> {
              load(clients);
              return quotaKeys(clients.get(changed)) == quotaKeys;
            });
  }

  /** Makes requests until some borders of windows have passed. */
  private void loadWindows(List<AdmissionClient> clients, int borders) {
    long end = window(System.currentTimeMillis()) + borders;
    await()
        .pollInSameThread()
        .atMost(TIMEOUT)
        .until(
            () -> {
              load(clients);
              return window(System.currentTimeMillis()) > end;
            });
  }

  /** A request of each; not about a border, which partitions may tell some milliseconds apart. */
  private void load(List<AdmissionClient> clients) throws InterruptedException {
    Request request =
        Request.of("email", HashedSite.SECRET, "user", HashedSite.CONTROL, "kind", "strict");
    for (int i = 0; i < 10; i++) {
      for (AdmissionClient client : clients) {
        long millis = System.currentTimeMillis();
        long within = millis % HashedSite.STRICT_WINDOW_MILLIS;
        if (within > ABOUT_MILLIS
            && within < HashedSite.STRICT_WINDOW_MILLIS - ABOUT_MILLIS
            && client.decide(request, Duration.ofMillis(50)).admitted()
            // Where the thread stood still, it may be of the next window.
            && window(System.currentTimeMillis()) == window(millis)) {
          admitted.merge(window(millis), 1, Integer::sum);
        }
      }
    }
  }

  private static long window(long millis) {
    return millis / HashedSite.STRICT_WINDOW_MILLIS;
  }

  /** How many quota keys a request has that nobody has made before. */
  private static int quotaKeys(AdmissionClient client) {
    int before = client.keys();
    client.decide(Request.of("email", "probe-" + UUID.randomUUID()));
    return client.keys() - before;
  }
}
