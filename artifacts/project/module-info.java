/// A program that names the API alone: the devices are found at run time.
module org.example.greeting {
    requires io.verbena.verbs;
}
