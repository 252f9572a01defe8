# portolan_hardening: what makes a mistake in memory end a program instead of handing it over. Of
# every program and library of ours in builds with optimisation; each flag where compiler and
# linker have it. tests/install/check_hardening.sh reads the results. Users of the library inherit
# none of it.
add_library(portolan_hardening INTERFACE)
set(portolan_optimised_types Release RelWithDebInfo MinSizeRel)
string(REPLACE ";" "," portolan_optimised "$<CONFIG:${portolan_optimised_types}>")

# Programs become position-independent, too (CMAKE_POSITION_INDEPENDENT_CODE is set). What this
# finds out goes for a whole project: inside of another it is that one's to ask.
if(PROJECT_IS_TOP_LEVEL)
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES C)
endif()

set(PORTOLAN_HARDENED FALSE)

# Sanitizers and the fuzzers' counters look closer than these do, and some get in their way.
if(NOT PORTOLAN_HARDENING OR PORTOLAN_SANITIZE OR PORTOLAN_FUZZ)
    return()
endif()
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)

# What was found out holds for the flags that it was found out with.
string(TOUPPER "${CMAKE_BUILD_TYPE}" upper)
set(flags "${CMAKE_BUILD_TYPE} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${upper}}")
if(NOT flags STREQUAL "${PORTOLAN_CHECKED_FLAGS}")
    unset(PORTOLAN_OPTIMISES CACHE)
    unset(PORTOLAN_HAS_FORTIFY_3 CACHE)
    unset(PORTOLAN_HAS_FORTIFY_2 CACHE)
    set(PORTOLAN_CHECKED_FLAGS "${flags}" CACHE INTERNAL "Flags of the checks for hardening")
endif()

# Shadow stacks and marked targets of jumps: x86's, then aarch64's. clang only warns of what it does
# not have.
if(CMAKE_C_COMPILER_ID MATCHES Clang)
    set(CMAKE_REQUIRED_FLAGS -Werror=unused-command-line-argument)
endif()
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
        -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "PORTOLAN_HAS${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        target_compile_options(portolan_hardening INTERFACE $<${portolan_optimised}:${flag}>)
    endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)

# Some flags of yours may ask for no optimisation; then calls can't be checked, and the tests do not
# expect it. Level 3 also checks sizes that are known only when it runs; the C library says what it
# makes of a level.
set(CMAKE_TRY_COMPILE_CONFIGURATION ${CMAKE_BUILD_TYPE})
check_c_source_compiles("#ifndef __OPTIMIZE__
#error
#endif
int main(void) { return 0; }" PORTOLAN_OPTIMISES)
if(PORTOLAN_OPTIMISES AND CMAKE_BUILD_TYPE IN_LIST portolan_optimised_types)
    set(PORTOLAN_HARDENED TRUE)
endif()
foreach(level 3 2)
    set(CMAKE_REQUIRED_FLAGS "-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${level}")
    check_c_source_compiles("#include <string.h>
#if !defined __USE_FORTIFY_LEVEL || __USE_FORTIFY_LEVEL < ${level}
#error not that level
#endif
int main(void) { return 0; }" PORTOLAN_HAS_FORTIFY_${level})
    if(PORTOLAN_HAS_FORTIFY_${level})
        target_compile_options(portolan_hardening INTERFACE
            $<${portolan_optimised}:-U_FORTIFY_SOURCE>
            $<${portolan_optimised}:-D_FORTIFY_SOURCE=${level}>)
        break()
    endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_TRY_COMPILE_CONFIGURATION)

# The table of what is linked is complete and read-only before the first line runs; no stack can
# be executed.
foreach(flag relro now noexecstack)
    check_linker_flag(C LINKER:-z,${flag} PORTOLAN_LINKS_${flag})
    if(PORTOLAN_LINKS_${flag})
        target_link_options(portolan_hardening INTERFACE $<${portolan_optimised}:LINKER:-z,${flag}>)
    endif()
endforeach()
