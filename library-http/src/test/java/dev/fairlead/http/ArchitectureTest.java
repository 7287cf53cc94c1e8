package dev.fairlead.http;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.LibraryRules;
import dev.fairlead.testkit.rules.UsesLibraries;

@AnalyzeClasses(packages = "dev.fairlead.http")
@UsesLibraries({"okhttp3.", "okio.", "kotlin.", "com.google.gson.", "javax.net."})
class ArchitectureTest {
    @ArchTest
    static final ArchTests library = ArchTests.in(LibraryRules.class);
}
