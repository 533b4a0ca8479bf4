/* The yardstick of starting: a C program that does nothing. */
int main(void)
{
	return 0;
}
