# What a fuzz program needs of the program itself, which is no library.
target_sources(fuzz_journal PRIVATE ${PROJECT_SOURCE_DIR}/src/app/resume/resumed.c)
target_include_directories(fuzz_journal PRIVATE
    ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/generated)
