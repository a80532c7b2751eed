package io.quotaenforcer.client.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.CapturedLog;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKeyText;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class HashKeySourceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String A = HashKeyText.write("a", new byte[32]);
  private static final String B = HashKeyText.write("b", new byte[32]);

  @RegisterExtension final CapturedLog log = new CapturedLog(HashKeySource.class);
  @TempDir Path folder;

  private final AtomicLong now = new AtomicLong(-5);
  private Path file;
  private int written;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("keys");
    write(A);
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
    permit("rw-------");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000L * ++written));
  }

  private void permit(String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void file_thatChanges_isReadAgain_onceASecond() throws IOException {
    HashKeySource source = HashKeySource.ofFile(file, now::get);
    HashKeys first = source.current();
    assertThat(first.ids()).containsExactly("a");

    write(A + "\n" + B);
    now.addAndGet(SECOND - 1);
    assertThat(source.current()).isSameAs(first);
    now.addAndGet(1);

    assertThat(source.current().ids()).containsExactly("a", "b");
    assertThat(log.said())
        .containsExactly(
            "INFO values are hashed by the keys HashKeys[a, b] from now on, before: HashKeys[a]");
  }

  @Test
  void file_thatIsWrongOrGone_isSaidOnce_andTheKeysBeforeGoOn() throws IOException {
    HashKeySource source = HashKeySource.ofFile(file, now::get);
    HashKeys first = source.current();

    write("nothing");
    for (int i = 0; i < 3; i++) {
      now.addAndGet(SECOND);
      assertThat(source.current()).isSameAs(first);
    }
    assertThat(log.said())
        .hasSize(1)
        .first()
        .asString()
        .contains("line 1, column 1")
        .contains("still");
    Files.delete(file);
    for (int i = 0; i < 3; i++) {
      now.addAndGet(SECOND);
      assertThat(source.current()).isSameAs(first);
    }
    assertThat(log.said()).hasSize(2);
    write(B);
    now.addAndGet(SECOND);
    assertThat(source.current().ids()).containsExactly("b");
  }

  @Test
  void file_thatEverybodyMayRead_isRefused() throws IOException {
    permit("rw-r--r--");

    assertThatThrownBy(() -> HashKeySource.ofFile(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("can be read or written by everybody")
        .hasMessageContaining("chmod o-rw");
    permit("rw-r-----");
    assertThat(HashKeySource.ofFile(file).current().ids()).containsExactly("a");
  }

  @Test
  void file_thatIsNotThere_isRefused() {
    assertThatThrownBy(() -> HashKeySource.ofFile(folder.resolve("none")))
        .hasMessageContaining("cannot read " + folder.resolve("none") + " (NoSuchFileException)")
        .hasMessageContaining("chmod 400");
  }

  @Test
  void settings_thatAreWrong_areSaidWithTheirKey_andWithoutTheSecret() {
    assertProblem(Map.of("hash.keys", A, "hash.keys.file", file), "hash.keys", "not both");
    assertProblem(Map.of("hash.attributes", "email"), "hash.attributes", "without a key");
    assertProblem(Map.of("hash.keys", "a"), "hash.keys", "line 1, column 1");
    assertProblem(Map.of("hash.keys", A + "," + A), "hash.keys", "the id a is there twice");
    assertProblem(Map.of("hash.keys.file", folder), "hash.keys.file", folder.toString());
    assertProblem(Map.of("hash.key", A), "hash.key", "hash.keys");
  }

  private static void assertProblem(Map<String, ?> settings, String key, String what) {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> read(settings))
        .satisfies(
            e ->
                assertThat(e.getMessage())
                    .contains(key)
                    .contains(what)
                    .doesNotContain(A.substring(2)));
  }

  private static AdmissionConfig read(Map<String, ?> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", "127.0.0.1:9");
    return AdmissionSettings.read(all, UnaryOperator.identity());
  }

  @Test
  void leaving_whatRulesOrSettingsName_isHashed() {
    Hashing hashing = read(Map.of("hash.keys", A, "hash.attributes", "email, phone")).hashing();
    Request request = Request.of("email", "e", "user", "u", "card", "c");

    assertThat(hashing.leaving(request, Set.of("card")).attributes())
        .isEqualTo(
            Map.of(
                "user", "u",
                "email", hashing.keys().current().texts("e").get(0),
                "card", hashing.keys().current().texts("c").get(0)));
    assertThat(Hashing.NONE.leaving(request, Set.of())).isSameAs(request);
  }
}
