@org.jspecify.annotations.NullMarked
package dev.fairlead.testkit.hung;
