package io.quotaenforcer.client.api;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Types as text, the same on every JDK: {@code @Nullable} is kept, packages of {@code java.*} are
 * not. Remembers the classes that it has written.
 */
final class TypeText {
  private final Set<Class<?>> written = new TreeSet<>((a, b) -> a.getName().compareTo(b.getName()));

  Set<Class<?>> written() {
    return written;
  }

  String of(AnnotatedType type) {
    String mark = type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "";
    if (type instanceof AnnotatedArrayType array) {
      String nullable = mark.isEmpty() ? "" : " " + mark.strip() + " ";
      return of(array.getAnnotatedGenericComponentType()) + nullable + "[]";
    }
    if (type instanceof AnnotatedParameterizedType generic
        && generic.getType() instanceof ParameterizedType parameterized) {
      return mark
          + name((Class<?>) parameterized.getRawType())
          + list("<", generic.getAnnotatedActualTypeArguments(), ">");
    }
    if (type instanceof AnnotatedWildcardType wildcard) {
      return mark + "?" + bounds(wildcard);
    }
    return mark + plain(type.getType());
  }

  private String bounds(AnnotatedWildcardType wildcard) {
    AnnotatedType[] lower = wildcard.getAnnotatedLowerBounds();
    return lower.length > 0
        ? list(" super ", lower, "")
        : upper(" extends ", wildcard.getAnnotatedUpperBounds());
  }

  /** With bounds, where these say more than {@code Object}. */
  String variables(TypeVariable<?>[] variables) {
    return variables.length == 0
        ? ""
        : Arrays.stream(variables)
            .map(each -> each.getName() + upper(" extends ", each.getAnnotatedBounds()))
            .collect(Collectors.joining(", ", "<", ">"));
  }

  private String upper(String before, AnnotatedType[] bounds) {
    boolean isAnything = bounds.length == 1 && bounds[0].getType() == Object.class;
    return bounds.length == 0 || (isAnything && bounds[0].getAnnotations().length == 0)
        ? ""
        : Arrays.stream(bounds).map(this::of).collect(Collectors.joining(" & ", before, ""));
  }

  String list(String before, AnnotatedType[] types, String after) {
    return Arrays.stream(types).map(this::of).collect(Collectors.joining(", ", before, after));
  }

  private String plain(Type type) {
    return type instanceof Class<?> raw ? name(raw) : type.getTypeName();
  }

  String name(Class<?> type) {
    written.add(type);
    String name = type.getTypeName().replace('$', '.');
    return name.startsWith("java.") ? name.substring(type.getPackageName().length() + 1) : name;
  }
}
