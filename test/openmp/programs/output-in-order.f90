! REQUIRES: flang
! RUN: mkdir -p %t.modules && %build-f90
! RUN: env UNIT_FILE=%t.unit1 %on1 > %t.1 && env UNIT_FILE=%t.unit3 %on3 > %t.3 && cmp %t.1 %t.3
! RUN: env UNIT_FILE=%t.unit2 %on2 > %t.2 && cmp %t.1 %t.2
! RUN: cmp %t.unit1 %t.unit2 && cmp %t.unit1 %t.unit3
! RUN: grep -c line %t.1 | grep -x 91
! RUN: %build-f90 -O0
! RUN: env UNIT_FILE=%t.unit3 %on3 > %t.3 && cmp %t.1 %t.3 && cmp %t.unit1 %t.unit3
! What threads of several nodes print in Fortran comes out, and in their order; also where an element
! of what is printed has a parallel region or prints into a text. A unit that no thread closes.
program output
  implicit none
  integer :: i, printed = 0
  real(8) :: numbers(1000)
  character(256) :: path

  numbers = 2
  !$omp parallel do ordered schedule(static, 1)
  do i = 1, 40
    !$omp ordered
    print '(a,i0)', 'ordered line ', i
    !$omp end ordered
  end do
  print *, 'total line', total(numbers)
  !$omp parallel do schedule(dynamic)
  do i = 1, 40
    !$omp critical
    printed = printed + 1
    write (*, '(a)', advance='no') 'critical '
    write (*, *) 'line', trim(name(printed))
    !$omp end critical
  end do
  print '(2a)', 'texts line ', trim(name(5))

  ! The last thread writes, which is on another node.
  call get_environment_variable('UNIT_FILE', path)
  !$omp parallel do schedule(static)
  do i = 1, 64
    if (i == 64) then
      open (unit=10, file=trim(path), status='replace')
      write (10, *) 'one', total(numbers)
      write (10, '(a)') 'two'
    end if
  end do
  !$omp parallel do ordered schedule(static, 2)
  do i = 1, 8
    !$omp ordered
    print '(a,f8.1)', 'last line ', sum(numbers) / i
    !$omp end ordered
  end do
  print *, 'end line'
contains
  real(8) function total(values)
    real(8), intent(in) :: values(:)
    integer :: k
    total = 0
    !$omp parallel do reduction(+: total)
    do k = 1, size(values)
      total = total + values(k)
    end do
  end function
  character(20) function name(number)
    integer, intent(in) :: number
    write (name, '(a,i0)') 'number ', number
  end function
end program
