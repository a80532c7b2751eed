package io.quotaenforcer.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.quotaenforcer.core.PackageRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nobody changes what services compile against without saying so. */
class PublicApiTest {
  private static final String ROOT = "io.quotaenforcer.client";
  private static final Path COMMITTED = Path.of("src/test/resources/public-api.txt");
  private static final String WRITE =
      "mvn -pl admission-client -am test -Dtest=PublicApiTest -Dapi.write"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @Test
  void api_isTheOneThatIsCommitted() throws IOException {
    List<String> now = ApiChange.lines(PublicApi.of(published(), PublicApiTest::isOurs));
    if (System.getProperty("api.write") != null) {
      Files.write(COMMITTED, now);
    }

    List<String> changes = ApiChange.between(Files.readAllLines(COMMITTED), now);

    assertThat(changes)
        .as(
            "public signatures that services compile against have changed (- was, + is);"
                + " if that is meant, write them and commit %s:%n%s%n",
            COMMITTED, WRITE)
        .isEmpty();
    assertThat(Files.readAllLines(COMMITTED))
        .as("lines in order; write them: " + WRITE)
        .isEqualTo(now);
  }

  @Test
  void types_thatServicesSee_areThoseOutsideOfInternalPackages() {
    assertThat(published()).hasSizeBetween(15, 30);
    assertThat(published())
        .as("each of them has a constructor, a factory, an implementation or an answer for users")
        .allSatisfy(type -> assertThat(type.getPackageName()).doesNotContain("internal"));
  }

  private static Collection<Class<?>> published() {
    return PackageRules.classesBelow(ROOT).stream()
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(type -> type.isTopLevelClass())
        .filter(type -> !type.getPackageName().startsWith(ROOT + ".internal"))
        .<Class<?>>map(JavaClass::reflect)
        .toList();
  }

  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("io.quotaenforcer.");
  }
}
