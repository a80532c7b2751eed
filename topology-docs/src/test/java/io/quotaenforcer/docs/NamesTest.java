package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods, types and constants that pages name are in the code. */
class NamesTest {
  private static final Pattern METHOD = Pattern.compile("([A-Z]\\w+)#(\\w+)");
  private static final Pattern MEMBER = Pattern.compile("([A-Z]\\w+)\\.([A-Z]\\w+)");
  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPackages("io.quotaenforcer");

  @ParameterizedTest
  @MethodSource("io.quotaenforcer.docs.GuidesTest#pages")
  void methods_areInTheCode(MarkdownFile page) {
    List<String> named =
        page.spans().stream().filter(span -> METHOD.matcher(span).matches()).toList();

    assertThat(named)
        .filteredOn(method -> !method.startsWith("Topology#"))
        .allMatch(NamesTest::isThere);
  }

  /** Such as {@code Deferred.Accepted} and {@code Payload.EMPTY}. */
  @ParameterizedTest
  @MethodSource("io.quotaenforcer.docs.GuidesTest#pages")
  void typesAndConstants_areInTheCode(MarkdownFile page) {
    assertThat(page.spans())
        .filteredOn(span -> MEMBER.matcher(span).matches())
        .allMatch(NamesTest::isMember);
  }

  private static boolean isThere(String name) {
    var parts = METHOD.matcher(name);
    return parts.matches()
        && CLASSES.stream()
            .filter(type -> type.getSimpleName().equals(parts.group(1)))
            .map(JavaClass::getAllMethods)
            .anyMatch(
                methods ->
                    methods.stream().anyMatch(method -> method.getName().equals(parts.group(2))));
  }

  private static boolean isMember(String name) {
    Matcher parts = MEMBER.matcher(name);
    return parts.matches()
        && CLASSES.stream()
            .anyMatch(
                type ->
                    type.getName().endsWith("." + name.replace('.', '$'))
                        || (type.getSimpleName().equals(parts.group(1))
                            && type.getAllFields().stream()
                                .anyMatch(field -> field.getName().equals(parts.group(2)))));
  }
}
