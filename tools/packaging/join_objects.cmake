# Makes the objects of a static library one object, in which names that are hidden from outside of
# a shared library are local. Without success the library is gone: it is never there half done.
# cmake -DARCHIVE=... -DCOMPILER=... -DFLAGS=... -DOBJCOPY=... -DAR=... -DRANLIB=... -P join_objects.cmake
cmake_minimum_required(VERSION 3.21)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
cmake_path(GET ARCHIVE PARENT_PATH folder)
cmake_path(GET ARCHIVE STEM name)
set(joined ${folder}/${name}_joined.o)

function(step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed)
    if(failed)
        file(REMOVE ${ARCHIVE} ${joined})
        message(FATAL_ERROR "this failed (${failed}): ${ARGN}")
    endif()
endfunction()

# By the compiler: it knows how to make machine code of what it left for link-time optimisation.
step(${COMPILER} ${flags} -r -nostdlib -Wl,--whole-archive ${ARCHIVE} -Wl,--no-whole-archive
     -o ${joined})
step(${OBJCOPY} --localize-hidden ${joined})
file(REMOVE ${ARCHIVE})
step(${AR} qc ${ARCHIVE} ${joined})
step(${RANLIB} ${ARCHIVE})
file(REMOVE ${joined})
