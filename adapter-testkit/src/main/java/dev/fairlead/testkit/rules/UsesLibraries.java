package dev.fairlead.testkit.rules;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lists the packages that an adapter or a library may use beside the ports and the domain, each with a dot at its end.
 * It stands on the architecture test in the topmost package of that adapter or library.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface UsesLibraries {
    String[] value();
}
